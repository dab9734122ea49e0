/** Plain JSON, as it arrives from a socket and leaves for one. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** One JSON object. A type and not an interface, so that object literals fit it. */
export type JsonObject = { readonly [key: string]: Json }

/** True for a JSON object, false for lists, texts, numbers and null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for a JSON list. (`Array.isArray` alone does not narrow a readonly list.) */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** The objects of a list; nothing for what is not a list. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return isList(value) ? value.filter(isObject) : []
}

/** The text at `key`, or undefined when it is missing or not a text. */
export function textAt(object: JsonObject, key: string): string | undefined {
  const value = object[key]
  return typeof value === 'string' ? value : undefined
}

/** Parsed JSON, or undefined when the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
