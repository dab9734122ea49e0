import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { cardsStyle } from './page-cards-style.ts'
import { sendText } from './reply.ts'
import { shell } from './shell.ts'
import { style } from './style.ts'

/** The page may load its own scripts and styles and nothing else, and nobody may frame it. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"

/** Beside the compiled server, or the last build when the server runs from source. */
const FOLDERS = [new URL('../page/', import.meta.url), new URL('../../../dist/sandbox/page/', import.meta.url)]

/** @param script the page's module that builds it */
export function sendShell(res: ServerResponse, script: 'main' | 'cards'): void {
  sendText(res, 200, shell(script), 'text/html; charset=utf-8', {
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
}

export function sendStyle(res: ServerResponse): void {
  sendText(res, 200, style + cardsStyle, 'text/css; charset=utf-8', { 'cache-control': 'no-store' })
}

/** A browser module by its bare name: lower-case letters and hyphens, so no path can leave the folder. */
export async function sendScript(res: ServerResponse, name: string): Promise<void> {
  const script = /^[a-z-]+$/.test(name) ? await firstOf(name) : undefined
  if (script === undefined) {
    sendText(res, 404, `There is no page module ${JSON.stringify(name)}. Is the project built?\n`, 'text/plain; charset=utf-8')
    return
  }
  sendText(res, 200, script, 'text/javascript; charset=utf-8', { 'cache-control': 'no-store' })
}

async function firstOf(name: string): Promise<string | undefined> {
  for (const folder of FOLDERS) {
    try {
      return await readFile(new URL(`${name}.js`, folder), 'utf8')
    } catch {
      // The next folder, or a 404.
    }
  }
  return undefined
}
