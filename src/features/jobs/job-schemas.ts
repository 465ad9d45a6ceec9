import { type Static, Type } from 'typebox'

export const jobStates = ['queued', 'running', 'done', 'failed'] as const

const DateTime = Type.String({ format: 'date-time' })

/** Work that goes on after its request was answered. */
export const JobResource = Type.Object({
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  type: Type.String({ description: 'what is done: targets.deletion, targets.update, segments.normalization' }),
  state: Type.Enum([...jobStates], { description: 'where it stands on its way' }),
  creationDate: { ...DateTime, description: 'when it was made, in UTC' },
  startDate: Type.Union([DateTime, Type.Null()], { description: 'when it begins or began, in UTC' }),
  endDate: Type.Union([DateTime, Type.Null()], { description: 'when it ends or ended, in UTC' }),
  progress: Type.Object(
    {
      done: Type.Integer({ description: 'how much is done' }),
      total: Type.Union([Type.Integer(), Type.Null()], { description: 'null until it is known' }),
    },
    { description: 'how far it is' },
  ),
  result: Type.Unknown({ description: 'once it is done: what the operation answers when it is not asked to be a job' }),
  error: Type.Union(
    [
      Type.Object({
        type: Type.String({ description: 'which of the possible kinds it is' }),
        detail: Type.String({ description: 'more about it, in words' }),
      }),
      Type.Null(),
    ],
    { description: 'why it failed' },
  ),
})
export type JobResource = Static<typeof JobResource>
