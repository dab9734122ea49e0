/** Field report about the library that carries every call to Slack: one copy of it, of a version that Slack's packages can use. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))
const Package = z.object({ dependencies: z.record(z.string(), z.string()) })
const Lock = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) })

test('undici is a dependency of our own, and one copy of version 7.28 or a later 7 is locked', () => {
  expect(Package.parse(read('package.json')).dependencies).toHaveProperty('undici')
  const copies = Object.entries(Lock.parse(read('package-lock.json')).packages).filter(([path]) => path.endsWith('/undici'))
  expect(copies.map(([path]) => path)).toEqual(['node_modules/undici'])
  const [major = 0, minor = 0] = (copies[0]?.[1].version ?? '').split('.').map(Number)
  expect(major).toBe(7)
  expect(minor).toBeGreaterThanOrEqual(28)
})
