import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { openDiskStore } from './archive-disk.ts'
import { openS3Store } from './archive-s3.ts'
import type { ArchiveStore } from './archive-store.ts'

/** The storage that the settings name: S3, else the data directory. */
export function openArchiveStore({ dataDir, archives }: Pick<Config, 'dataDir' | 'archives'>): ArchiveStore {
  return archives === undefined ? openDiskStore(join(dataDir, 'archives')) : openS3Store(archives)
}
