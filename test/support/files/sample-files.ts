import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Files to import that come with the project: the messy one, and what becomes of each of its records. */
export const IMPORT_FILES = join(import.meta.dirname, '../../fixtures/imports')
/** More and larger files; a checkout alone does not have them. */
export const SHARED_DATA = join(import.meta.dirname, '../../../../shared/data')
/** Why a test that needs the larger files is skipped; false when they are there. */
export const noSharedData = existsSync(SHARED_DATA) ? false : 'the shared files are not beside this checkout'
