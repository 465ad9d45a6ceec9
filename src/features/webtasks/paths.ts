import { parseInt32Id } from '../../lib/ids.ts'
import { createPathKeyReader } from '../../scripting/path-keys.ts'

export const WEBTASKS_PATH = '/scripting/webtasks'

/** The webtask that a path names. Throws notFound for what is no id. */
export const readWebtaskKey = createPathKeyReader('webtask', parseInt32Id)
