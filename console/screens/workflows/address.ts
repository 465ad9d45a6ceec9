export const WORKFLOW_TABS = ['simulation', 'runs', 'versions'] as const
export type WorkflowTab = (typeof WORKFLOW_TABS)[number]
