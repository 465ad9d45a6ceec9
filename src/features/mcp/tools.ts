import type { Tool } from './tool.ts'
import { actTools } from './tools/acts.ts'
import { contactTools } from './tools/contacts.ts'
import { messageTools } from './tools/messages.ts'
import { proofTools } from './tools/proofs.ts'
import { segmentTools } from './tools/segments.ts'
import { workflowActTools } from './tools/workflow-acts.ts'
import { workflowTools } from './tools/workflows.ts'

/** Every tool, in the order in which clients are told of them. */
export const tools: readonly Tool[] = [
  ...segmentTools,
  ...contactTools,
  ...messageTools,
  ...workflowTools,
  ...proofTools,
  ...actTools,
  ...workflowActTools,
]
