import { type Static, Type } from 'typebox'

export const jobStates = ['queued', 'running', 'done', 'failed'] as const

const DateTime = Type.String({ format: 'date-time' })

/** Work that goes on after its request was answered. */
export const JobResource = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the job.' }),
  type: Type.String({
    description: 'Type of the job: `targets.deletion`, `targets.update` or `segments.normalization`.',
  }),
  state: Type.Enum([...jobStates], {
    description:
      '`queued`: waits for a free worker. `running`: in progress. `done`: ended with a result. `failed`: ended with an error.',
  }),
  creationDate: { ...DateTime, description: 'Time of creation, in UTC.' },
  startDate: Type.Union([DateTime, Type.Null()], { description: 'Time of the start, in UTC. Null: not started.' }),
  endDate: Type.Union([DateTime, Type.Null()], { description: 'Time of the end, in UTC. Null: not ended.' }),
  progress: Type.Object(
    {
      done: Type.Integer({ description: 'Number of items processed.' }),
      total: Type.Union([Type.Integer(), Type.Null()], { description: 'Number of items. Null: not yet known.' }),
    },
    { description: 'Progress of the job.' },
  ),
  result: Type.Unknown({
    description: 'Result of a job that is done: the answer that the operation gives without a job. Null: none.',
  }),
  error: Type.Union(
    [
      Type.Object({
        type: Type.String({ description: 'Type of the error.' }),
        detail: Type.String({ description: 'Explanation of the error.' }),
      }),
      Type.Null(),
    ],
    { description: 'Reason for the failure. Null: none.' },
  ),
})
export type JobResource = Static<typeof JobResource>
