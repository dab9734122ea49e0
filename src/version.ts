import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Package = z.object({ version: z.string() })

/** As package.json, which stands beside `src` and `dist` alike, says. */
export const VERSION = Package.parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))).version
