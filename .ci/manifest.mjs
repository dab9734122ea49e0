// Checks manifest.yml against Slack's public manifest schemas, which are not part of this project: their folder is the argument.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { parse } from 'yaml'

const folder = process.argv[2] ?? ''
const manifest = parse(readFileSync('manifest.yml', 'utf8'))
const schemas = readdirSync(folder).filter((name) => /^slack-manifest\.schema\..*\.json$/.test(name))
if (schemas.length === 0) throw new Error('no schema found')
for (const name of schemas) {
  const schema = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema)
  if (!validate(manifest)) {
    process.stderr.write(`manifest.yml does not pass ${name}: ${JSON.stringify(validate.errors)}\n`)
    process.exitCode = 1
  } else process.stdout.write(`manifest.yml passes ${name}\n`)
}
