import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { int32Limits } from '../../lib/int32.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { ScriptingSchema } from '../workflows/workflow-schemas.ts'
import { publicWebtaskMethods } from './settings.ts'

const InstantSchema = Type.String({ format: 'date-time' })
const OPEN_OBJECT = { additionalProperties: true }

const SettingsSchema = Type.Object({
  cpuMs: Type.Integer({ minimum: 10, maximum: 1000, description: 'what a run may compute, in milliseconds' }),
  wallMs: Type.Integer({
    minimum: 100,
    maximum: 30_000,
    description: 'the total time that a run may wait for what it calls, in milliseconds',
  }),
  logs: Type.Boolean({ description: 'lines of the log are answered and kept' }),
  public: Type.Object(
    {
      enabled: Type.Boolean({ description: 'whether it is on' }),
      methods: Type.Array(Type.Enum([...publicWebtaskMethods]), { description: 'methods that are let in' }),
      redirects: Type.Array(Type.String(), { description: 'hosts, as in scripting.environment.http.allow' }),
    },
    { description: 'whether GET and POST /w/{token} run it, without a key' },
  ),
})

const descriptionMembers = {
  name: Type.String({ minLength: 1, maxLength: 255, description: 'the name that people give it' }),
  description: nullableSchema(Type.String({ maxLength: 4000, description: 'words that say what it is for' })),
}
const ScriptValueSchema = Type.String({ description: 'an ES module whose default export is a function' })

export const WebtaskDocument = Type.Object({
  id: Type.Integer({ description: 'what names it in this account' }),
  ...descriptionMembers,
  creationDate: { ...InstantSchema, description: 'when it was made, in UTC' },
  updateDate: { ...InstantSchema, description: 'when it was changed last, in UTC' },
  scripting: { ...ScriptingSchema, description: 'what scripts and templates may do and share' },
  settings: { ...SettingsSchema, description: 'how it is made and sent' },
  value: ScriptValueSchema,
})
export type WebtaskDocument = Static<typeof WebtaskDocument>

/** A write: what is absent stays; members that the service sets may come back and are passed over. */
export const WebtaskBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(descriptionMembers.name),
  description: Type.Optional(descriptionMembers.description),
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
  scripting: Type.Optional(
    nullableSchema(Type.Object({}, { ...OPEN_OBJECT, description: 'what scripts and templates may do and share' })),
  ),
  settings: Type.Optional(nullableSchema(Type.Object({}, { ...OPEN_OBJECT, description: 'how it is made and sent' }))),
  value: Type.Optional(ScriptValueSchema),
})
export type WebtaskBody = Static<typeof WebtaskBody>

/** Webtask to check: absent members come from the stored webtask, or from the defaults of a new one. */
export const WebtaskCheckBody = Type.Object({
  id: Type.Optional(Type.Integer({ ...int32Limits, description: 'of the stored webtask that is written on' })),
  scripting: Type.Optional(
    nullableSchema(Type.Object({}, { ...OPEN_OBJECT, description: 'what scripts and templates may do and share' })),
  ),
  value: Type.Optional(ScriptValueSchema),
})
export type WebtaskCheckBody = Static<typeof WebtaskCheckBody>

export const WebtaskQuery = Type.Object({
  name: Type.Optional(Type.String({ description: 'only what has this name' })),
})
export const WebtaskParams = Type.Object({ id: Type.String() })

export const WebtaskScriptBody = Type.Object({ value: ScriptValueSchema })
export type WebtaskScriptBody = Static<typeof WebtaskScriptBody>

/** Problem types of the operations of webtasks by status. */
export const webtaskRefusals = {
  400: 'script-flawed',
  409: 'in-use too-many-webtasks webtask-gone compilable-flawed stamp-used',
}
export const webtaskWriteRefusals = { ...webtaskRefusals, 403: 'approval-required' }
