import { readFileSync } from 'node:fs'

/** Identifies the current start of the machine: the boot id of a Linux kernel; empty on systems without one. */
export function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}
