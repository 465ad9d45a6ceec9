import { parseInt32Id } from '../../lib/ids.ts'
import { createPathKeyReader } from '../../scripting/path-keys.ts'

export const WORKFLOWS_PATH = '/scripting/workflows'

/** The workflow that a path names. Throws notFound for what is no id. */
export const readWorkflowKey = createPathKeyReader('workflow', parseInt32Id)
