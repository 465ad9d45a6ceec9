import { type Static, Type } from 'typebox'

export const jobStates = ['queued', 'running', 'done', 'failed'] as const

const DateTime = Type.String({ format: 'date-time' })

/** Work that goes on after its request was answered. */
export const JobResource = Type.Object({
  id: Type.String({ format: 'uuid' }),
  type: Type.String({ description: 'what is done: targets.deletion, targets.update, segments.normalization' }),
  state: Type.Enum([...jobStates]),
  creationDate: DateTime,
  startDate: Type.Union([DateTime, Type.Null()]),
  endDate: Type.Union([DateTime, Type.Null()]),
  progress: Type.Object({
    done: Type.Integer(),
    total: Type.Union([Type.Integer(), Type.Null()], { description: 'null until it is known' }),
  }),
  result: Type.Unknown({ description: 'once it is done: what the operation answers when it is not asked to be a job' }),
  error: Type.Union([Type.Object({ type: Type.String(), detail: Type.String() }), Type.Null()]),
})
export type JobResource = Static<typeof JobResource>
