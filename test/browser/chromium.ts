/** A real Chromium, where this machine has one. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** `CHROMIUM_PATH` when it is set, whatever stands there; else the first of the usual places that exists. */
export function chromiumPath(variables: NodeJS.ProcessEnv): string | undefined {
  const { CHROMIUM_PATH } = variables
  return (CHROMIUM_PATH ?? '') === '' ? PLACES.find((place) => existsSync(place)) : CHROMIUM_PATH
}

/** Each launch has a new profile, which is removed when the browser is closed. */
export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--disable-quic'],
    ],
  })
}
