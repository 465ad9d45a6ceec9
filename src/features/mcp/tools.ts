import type { McpTool } from './tool.ts'
import { mcpSendingTools } from './tools/acts.ts'
import { mcpContactTools } from './tools/contacts.ts'
import { mcpDeletionTools } from './tools/delete-object.ts'
import { mcpDesignTools } from './tools/designs.ts'
import { mcpFieldTools } from './tools/fields.ts'
import { mcpFormTools } from './tools/forms.ts'
import { mcpImportTools } from './tools/imports.ts'
import { mcpMessageTools } from './tools/messages.ts'
import { mcpProofTools } from './tools/proofs.ts'
import { mcpReportTools } from './tools/reports.ts'
import { mcpSegmentTools } from './tools/segments.ts'
import { mcpSuppressionTools } from './tools/suppressions.ts'
import { mcpWorkflowControlTools } from './tools/workflow-acts.ts'
import { mcpWorkflowTools } from './tools/workflows.ts'

/** Every tool, in the order in which clients see them. */
export const mcpTools: readonly McpTool[] = [
  ...mcpSegmentTools,
  ...mcpContactTools,
  ...mcpFieldTools,
  ...mcpSuppressionTools,
  ...mcpImportTools,
  ...mcpFormTools,
  ...mcpDesignTools,
  ...mcpMessageTools,
  ...mcpReportTools,
  ...mcpWorkflowTools,
  ...mcpProofTools,
  ...mcpSendingTools,
  ...mcpWorkflowControlTools,
  ...mcpDeletionTools,
]
