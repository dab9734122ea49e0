/** What is wrong with the settings or the environment. A fault names its place; it never holds a value, which may be a secret. */
export interface Fault {
  /** `countersign.yml:12: rules[0].ask` or `environment: PORT`. */
  readonly where: string
  readonly what: string
}

export class Unfit extends Error {
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    super(faults.map((fault) => `${fault.where}: ${fault.what}`).join('\n'))
    this.name = 'Unfit'
    this.faults = faults
  }
}
