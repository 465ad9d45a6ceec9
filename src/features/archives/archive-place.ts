import { join } from 'node:path'
import type { ServiceConfig } from '../../config.ts'
import { openDiskArchiveStore } from './archive-disk.ts'
import { openS3ArchiveStore } from './archive-s3.ts'
import type { ArchiveStore } from './archive-store.ts'

/** The storage that the settings name: S3, else the data directory. */
export function openArchiveStore({ dataDir, archives }: Pick<ServiceConfig, 'dataDir' | 'archives'>): ArchiveStore {
  return archives === undefined ? openDiskArchiveStore(join(dataDir, 'archives')) : openS3ArchiveStore(archives)
}
