import { Problem } from '../../lib/problem.ts'

/** An archive that cannot be read: 400 when it is uploaded, the error of the run when it comes to light there. */
export function brokenArchive(why: string): Problem {
  return new Problem(400, 'archive-broken', `The archive is broken: ${why}. Make it again and upload it.`)
}
