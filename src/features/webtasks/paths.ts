import { readIntId } from '../../lib/ids.ts'
import { pathKey } from '../../scripting/path-keys.ts'

export const WEBTASKS = '/scripting/webtasks'

/** The webtask that a path names. Throws notFound for what is no id. */
export const webtaskKey = pathKey('webtask', readIntId)
