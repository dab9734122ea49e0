import { isList, isObject, type Json } from './json.ts'

/** One thing Slack would refuse: where (a JSON pointer into what was checked) and its words. */
export interface Finding {
  readonly pointer: string
  readonly message: string
}

/** Looks at one value and adds what is wrong with it to `found`. Pure but for that list. */
export type Check = (value: Json, pointer: string, found: Finding[]) => void

/** A field that must be there. */
export interface Field {
  readonly check: Check
  readonly required: boolean
}

export const must = (check: Check): Field => ({ check, required: true })
export const may = (check: Check): Field => ({ check, required: false })

/** A text of `min` to `max` UTF-16 code units. The words are Slack's own. */
export function text(max: number, min = 1): Check {
  return (value, pointer, found) => {
    if (typeof value !== 'string') found.push({ pointer, message: 'must provide a string' })
    else if (value.length < min) found.push({ pointer, message: `must be more than ${min - 1} characters` })
    else if (value.length > max) found.push({ pointer, message: `must be less than ${max + 1} characters` })
  }
}

/** One of a few fixed texts. */
export function word(...words: readonly string[]): Check {
  return (value, pointer, found) => {
    if (typeof value !== 'string' || !words.includes(value)) {
      found.push({ pointer, message: `must be a valid enum value: ${words.join(', ')}` })
    }
  }
}

export const flag: Check = (value, pointer, found) => {
  if (typeof value !== 'boolean') found.push({ pointer, message: 'must provide a boolean' })
}

/** A whole number from `min` to `max`. */
export function whole(min: number, max: number): Check {
  return (value, pointer, found) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) found.push({ pointer, message: 'must provide an integer' })
    else if (value < min || value > max) found.push({ pointer, message: `must be from ${min} to ${max}` })
  }
}

/** A web address; Slack takes http and https in messages. */
export function address(max: number): Check {
  return (value, pointer, found) => {
    const before = found.length
    text(max)(value, pointer, found)
    if (found.length > before || typeof value !== 'string') return
    if (!/^(https?:\/\/|mailto:)\S+$/.test(value)) found.push({ pointer, message: 'must be a valid URL' })
  }
}

/** A list of `min` to `max` items of one kind. */
export function list(item: Check, min: number, max: number): Check {
  return (value, pointer, found) => {
    if (!isList(value)) {
      found.push({ pointer, message: 'must provide an array' })
      return
    }
    if (value.length < min) found.push({ pointer, message: `no fewer than ${min} items allowed` })
    if (value.length > max) found.push({ pointer, message: `no more than ${max} items allowed` })
    value.forEach((entry, at) => {
      item(entry, `${pointer}/${at}`, found)
    })
  }
}

/** An object with these fields and no others: Slack refuses a property that it does not know. */
export function object(fields: Readonly<Record<string, Field>>): Check {
  return (value, pointer, found) => {
    if (!isObject(value)) {
      found.push({ pointer, message: 'must provide an object' })
      return
    }
    for (const [name, field] of Object.entries(fields)) {
      const held = Object.hasOwn(value, name) ? value[name] : undefined
      if (held !== undefined) field.check(held, `${pointer}/${name}`, found)
      else if (field.required) found.push({ pointer, message: `missing required field: ${name}` })
    }
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(fields, name)) found.push({ pointer, message: `invalid additional property: ${name}` })
    }
  }
}

/** An object whose `type` says which of several shapes it must have. */
export function kinds(shapes: Readonly<Record<string, Check>>): Check {
  return (value, pointer, found) => {
    if (!isObject(value)) {
      found.push({ pointer, message: 'must provide an object' })
      return
    }
    const type = value.type
    if (type === undefined) found.push({ pointer, message: 'missing required field: type' })
    else if (typeof type !== 'string') found.push({ pointer: `${pointer}/type`, message: 'must provide a string' })
    else if (!Object.hasOwn(shapes, type)) found.push({ pointer: `${pointer}/type`, message: `unsupported type: ${type}` })
    else shapes[type]?.(value, pointer, found)
  }
}

/** All of several checks. */
export function all(...checks: readonly Check[]): Check {
  return (value, pointer, found) => {
    for (const check of checks) check(value, pointer, found)
  }
}
