/** What the system tells of a server from outside: what the disk costs, how often it was asked, and the processor's time. */
import { closeSync, fsyncSync, openSync, readFileSync, readSync, statfsSync, writeSync } from 'node:fs'
import { endianness } from 'node:os'
import { join } from 'node:path'

/** Mean milliseconds of a 4 KiB append and its fsync. */
export function fsyncMs(folder: string): number {
  const file = openSync(join(folder, 'fsync'), 'w')
  const block = Buffer.alloc(4096, 1)
  const began = performance.now()
  let count = 0
  for (; count < 300 && performance.now() - began < 1000; count += 1) {
    writeSync(file, block)
    fsyncSync(file)
  }
  const mean = (performance.now() - began) / count
  closeSync(file)
  return mean
}

/** Memory, not a disk: a flush costs nothing there. The number is the kernel's (statfs(2), TMPFS_MAGIC). */
export function isMemory(folder: string): boolean {
  return statfsSync(folder).type === 0x01021994
}

/**
 * Transactions that were committed to a database in WAL mode since it was opened: the counter `iChange` in the header of its
 * shared-memory file (sqlite.org/walformat.html, section 2.1), 32 bits at byte 8 in the machine's own order.
 */
export function commits(databasePath: string): number {
  const file = openSync(`${databasePath}-shm`, 'r')
  const word = Buffer.alloc(4)
  readSync(file, word, 0, 4, 8)
  closeSync(file)
  return endianness() === 'LE' ? word.readUInt32LE() : word.readUInt32BE()
}

/** Milliseconds of processor time that a process has used, its threads included, in steps of 10; NaN where there is no /proc. */
export function cpuMs(pid: number): number {
  try {
    // proc(5): fields 14 and 15, in ticks of a hundredth of a second; the second field may hold blanks and ends with `)`.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}
