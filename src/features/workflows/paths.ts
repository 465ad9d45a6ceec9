import { readIntId } from '../../lib/ids.ts'
import { pathKey } from '../../scripting/path-keys.ts'

export const WORKFLOWS = '/scripting/workflows'

/** The workflow that a path names. Throws notFound for what is no id. */
export const workflowKey = pathKey('workflow', readIntId)
