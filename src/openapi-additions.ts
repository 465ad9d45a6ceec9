import { importComponents } from './features/imports/description/import-components.ts'
import { pipelineComponents } from './features/pipelines/description/pipeline-components.ts'
import { criteriaComponents } from './features/segments/description/criteria-schemas.ts'
import { describeWebhooks, webhookComponents } from './features/webhooks/description/describe-webhooks.ts'
import { workflowPartComponents } from './features/workflows/description/part-components.ts'
import { scriptingComponents } from './features/workflows/description/scripting-components.ts'
import { workflowComponents } from './features/workflows/description/workflow-components.ts'
import type { OpenApiAdditions } from './http/openapi/openapi.ts'

/** Parts of the description of the interface that no route has. Loaded when the description is made, not at each start. */
export const openApiAdditions: OpenApiAdditions = {
  components: {
    ...webhookComponents,
    schemas: {
      ...criteriaComponents,
      ...importComponents,
      ...pipelineComponents,
      ...workflowComponents,
      ...workflowPartComponents,
      ...scriptingComponents,
      ...webhookComponents.schemas,
    },
  },
  webhooks: describeWebhooks(),
}
