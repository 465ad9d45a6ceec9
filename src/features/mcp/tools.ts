import type { McpTool } from './tool.ts'
import { mcpSendingTools } from './tools/acts.ts'
import { mcpContactTools } from './tools/contacts.ts'
import { mcpMessageTools } from './tools/messages.ts'
import { mcpProofTools } from './tools/proofs.ts'
import { mcpSegmentTools } from './tools/segments.ts'
import { mcpWorkflowControlTools } from './tools/workflow-acts.ts'
import { mcpWorkflowTools } from './tools/workflows.ts'

/** Every tool, in the order in which clients see them. */
export const mcpTools: readonly McpTool[] = [
  ...mcpSegmentTools,
  ...mcpContactTools,
  ...mcpMessageTools,
  ...mcpWorkflowTools,
  ...mcpProofTools,
  ...mcpSendingTools,
  ...mcpWorkflowControlTools,
]
