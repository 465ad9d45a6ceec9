import { statfs } from 'node:fs/promises'

/** The bytes that are free for this account on the disk of a directory. */
export async function readFreeDiskBytes(directory: string): Promise<number> {
  const { bavail: freeBlocks, bsize: blockSize } = await statfs(directory)
  return freeBlocks * blockSize
}
