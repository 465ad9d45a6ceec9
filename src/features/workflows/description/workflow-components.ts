import { type OpenApiObject, openApiSchemaRef } from '../../../http/openapi/document.ts'
import { toPascalCase } from '../../../http/openapi/shared-parts.ts'
import { workflowNodeTypes } from '../nodes/node-types.ts'
import {
  failureMember,
  failureSettings,
  nodeSettingMembers,
  nodeValueComponents,
  ownNodeMembers,
} from './node-settings.ts'
import { settingMembers, workflowValueComponents } from './value-schemas.ts'

const { text, boolean, clientId, way, words, event } = settingMembers

/** The name of the component of a type of node: `RcsExecutionNode`. */
export const nameNodeComponent = (type: string): string => `${toPascalCase(type)}Node`

const commonMembers: Record<string, OpenApiObject> = {
  id: clientId('ID of the node, unique in the workflow. Absent or null: generated.'),
  name: text('Name of the node, for users.', { maxLength: 255 }),
  description: text('Description of the node, for users.', { maxLength: 4000 }),
  rationale: text('Reason for the node, for users.', { maxLength: 4000 }),
  default: boolean('True for the node where runs start if the execution names none.'),
  next: way('ID of the next node. Absent or null: the run completes.'),
}

function buildNodeSchema(type: string, hasFailure: boolean): OpenApiObject {
  const settings: OpenApiObject = {
    type: ['object', 'null'],
    description: `Settings of a node of type \`${type}\`.`,
    properties: { ...nodeSettingMembers[type], ...(hasFailure && { failure: failureMember }) },
  }
  const typeMember: OpenApiObject = { type: 'string', enum: [type], description: 'Type of the node.' }
  return {
    description: `Node of type \`${type}\`.`,
    allOf: [
      openApiSchemaRef('WorkflowNodeMembers'),
      { type: 'object', required: ['type'], properties: { type: typeMember, ...ownNodeMembers[type], settings } },
    ],
  }
}

const nodeComponents = Object.fromEntries(
  [...workflowNodeTypes.values()].map(({ type, hasFailure }) => [
    nameNodeComponent(type),
    buildNodeSchema(type, hasFailure),
  ]),
)

const listenerSchema: OpenApiObject = {
  type: 'object',
  description: 'Listener that starts or moves runs when an event arrives.',
  properties: {
    id: clientId('ID of the listener, unique in the workflow. Absent or null: generated.'),
    name: text('Name of the listener, for users.', { maxLength: 255 }),
    description: text('Description of the listener, for users.', { maxLength: 4000 }),
    enabled: boolean('True if the listener is active. Default: true.'),
    event: event('Event that triggers the listener. Required for activation.'),
    onOpen: words(
      'Effect when runs are already open. `start`: starts another one. `skip`: does nothing. `move`: moves them to `handler`. `moveOrStart`: as `move`, but starts a run if none is open. Default: `start`.',
      'start',
      'skip',
      'move',
      'moveOrStart',
    ),
    correlation: words('How `onOpen` finds open runs. Default: `contact`.', 'contact', 'thread'),
    handler: way('ID of the node where runs start. Required for activation.'),
  },
}

/** Nodes and listeners of workflows as components of the description. Requests are checked by the shapes of `definition/`. */
export const workflowComponents: Readonly<Record<string, OpenApiObject>> = {
  ...workflowValueComponents,
  ...nodeValueComponents,
  WorkflowNodeFailure: failureSettings,
  WorkflowNodeMembers: { type: 'object', description: 'Members of every node.', properties: commonMembers },
  ...nodeComponents,
  WorkflowNode: {
    description: 'Node of a workflow, by its type. Ways that are absent or null lead to `next`.',
    oneOf: Object.keys(nodeComponents).map(openApiSchemaRef),
  },
  StoredWorkflowNode: {
    description: 'Node of a workflow as it is stored, with the defaults of its settings.',
    allOf: [
      {
        type: 'object',
        required: ['id', 'name', 'description', 'rationale', 'default', 'settings', 'next'],
        properties: {
          id: { type: 'string', description: 'ID of the node, unique in the workflow.' },
          name: { type: ['string', 'null'], description: 'Name of the node, for users.' },
          description: { type: ['string', 'null'], description: 'Description of the node, for users.' },
          rationale: { type: ['string', 'null'], description: 'Reason for the node, for users.' },
          default: {
            type: 'boolean',
            description: 'True for the node where runs start if the execution names none.',
          },
          settings: { type: 'object', additionalProperties: true, description: 'Settings of the node, by its type.' },
          next: { type: ['string', 'null'], description: 'ID of the next node. Null: the run completes.' },
        },
      },
      openApiSchemaRef('WorkflowNode'),
    ],
  },
  WorkflowListenerWrite: listenerSchema,
}
