import { Type } from 'typebox'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { WorkflowTraceEntry } from '../runs/run-schemas.ts'

/** A simulated run, as it is answered. */
export const SimulatedRunResult = Type.Object({
  status: Type.String({
    description: 'Status of the run at the end of the simulation; `waiting` if no deadline or listed event follows.',
  }),
  reason: nullableSchema(Type.String({ description: 'Reason for the status. Null: none.' })),
  outcome: nullableSchema(Type.String({ description: 'Outcome set by the node that ended the run. Null: none.' })),
  node: Type.String({ description: 'ID of the current or last node.' }),
  clock: Type.String({ format: 'date-time', description: 'Simulated time at the end, in UTC.' }),
  variables: Type.Object(
    {},
    { additionalProperties: true, description: 'Values that templates and scripts read by name, at the end.' },
  ),
  trace: Type.Array(WorkflowTraceEntry, { description: 'Visited nodes, in order.' }),
  effects: Type.Array(
    Type.Object({
      node: Type.String({ description: 'ID of the node.' }),
      type: Type.String({ description: 'Type of the node.' }),
      at: Type.String({ format: 'date-time', description: 'Simulated time of the effect, in UTC.' }),
      value: Type.Unknown({
        description: 'Content of the effect by the type of the node, such as the action and data of a send.',
      }),
    }),
    { description: 'Effects that a real run would have had, in order.' },
  ),
})
