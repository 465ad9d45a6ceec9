import { Problem } from '../../lib/problem.ts'

/** An archive that cannot be read: 400 when it is uploaded, the error of the run when it comes to light there. */
export function brokenArchive(why: string): Problem {
  return new Problem(400, 'archive-broken', `The archive is broken: ${why}. Make it again and upload it.`)
}

/** Files of an archive: each costs some time, however little it holds. */
export const MAX_FILES = 10_000

/** An archive with more files than are read. */
export function tooManyFiles(): Problem {
  return brokenArchive(`it holds more than ${MAX_FILES} files`)
}

/** 400 for a file that stood still until what there was of it was removed. */
export function uploadStalled(cause: unknown): Problem {
  return new Problem(400, 'upload-broken', 'The upload stood still for too long: send it again.', { cause })
}

/** 413 for a file beyond `most` bytes. The rest of it is not read, so the connection cannot go on. */
export function fileTooLarge(most: number): Problem {
  const detail = `The file has more than ${most} bytes: divide it, or raise importMaxBytes in /settings/contacts.`
  return new Problem(413, 'file-too-large', detail, { headers: { connection: 'close' } })
}

/** 415 for a body or a file name that says it is something else than a file of contacts. */
export function unsupportedFile(what: string): Problem {
  const detail = `${what} is not read: send .csv, .txt, .zip, .gz, .tgz or .tar.gz.`
  return new Problem(415, 'unsupported-media-type', detail, { headers: { connection: 'close' } })
}
