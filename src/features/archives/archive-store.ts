/** A range of octets in a pack. */
export interface PackByteRange {
  start: number
  length: number
}

/**
 * Storage of packs of archived messages, by name (`7/2026-03-20/019512a0-….zst`). Every call throws if the storage is unavailable; nothing
 * is half written.
 */
export interface ArchiveStore {
  /** Has the pack safe before it answers. */
  write(name: string, bytes: Buffer): Promise<void>
  /** Fewer octets when the pack ends before the range does; undefined when there is no such pack. */
  read(name: string, range: PackByteRange): Promise<Buffer | undefined>
  /** Overwrites a part of a pack with as many octets; does nothing when there is no such pack. */
  overwrite(name: string, parts: readonly { start: number; bytes: Buffer }[]): Promise<void>
  /** Does nothing when there is no such pack. */
  remove(name: string): Promise<void>
}

/** The name of a pack, which the time in its id puts under its day. */
export function archivePackName(account: number, pack: string): string {
  return `${account}/${new Date(archivePackTime(pack)).toISOString().slice(0, 10)}/${pack}.zst`
}

/** Returns the time a pack was started, in milliseconds: its id is a uuid version 7 (RFC 9562, 5.7). */
export function archivePackTime(pack: string): number {
  return Number.parseInt(pack.replaceAll('-', '').slice(0, 12), 16)
}
