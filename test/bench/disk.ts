/** What the disk costs, and how often it was asked. */
import { closeSync, fsyncSync, openSync, readSync, statfsSync, writeSync } from 'node:fs'
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
