import { randomBytes } from 'node:crypto'
import type { NewId } from './approval/ports.ts'

export const newId: NewId = () => randomBytes(16).toString('hex')
