import { type Static, Type } from 'typebox'
import { accessRights, memberRoles } from '../../lib/account.ts'
import { buildTypeTag } from '../../lib/type-tags.ts'

export const userLocales = ['en', 'fr'] as const

/** Languages of the console and of mails to people. */
export type UserLocale = (typeof userLocales)[number]

const enumOf = <const T extends readonly string[]>(words: T, description?: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: words, ...(description && { description }) })

const describedText = (description: string) => Type.String({ description })
const describedDate = (description: string) => Type.String({ format: 'date-time', description })
const nullable = <T extends ReturnType<typeof Type.String>>(schema: T) => Type.Union([schema, Type.Null()])

export const UserLocaleName = enumOf(userLocales, 'of the console and of mails')
export const UserRoleName = enumOf(memberRoles)
export const AccessRights = Type.Array(enumOf(accessRights), { description: 'what may be done' })
export const UserName = Type.String({ minLength: 1, maxLength: 200, description: 'the name that people give it' })
const Email = Type.String({ maxLength: 254, description: 'an email address' })
/** Its length is judged in characters, by the rules of passwords. */
export const UserPassword = Type.String({ maxLength: 1000, description: '12 to 200 characters' })

export const AccountMembership = Type.Object({
  account: describedText('code, such as ACME001'),
  role: { ...UserRoleName, description: 'what a person may do in the account' },
})

export const UserResource = Type.Object({
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  email: describedText('unique in the installation'),
  name: Type.String({ description: 'the name that people give it' }),
  locale: UserLocaleName,
  active: Type.Boolean({ description: 'whether it is in use' }),
  secondFactor: enumOf(['none', 'totp', 'passkey'], 'what confirms sign-in'),
  operator: Type.Boolean({ description: 'may do everything in every account' }),
  createdAt: describedDate('when the person was made'),
  lastSignInAt: nullable(describedDate('null: never')),
  memberships: Type.Array(AccountMembership, {
    description: 'to admins that of their account, to operators and oneself all',
  }),
})
export type UserResource = Static<typeof UserResource>

export const SetUpBody = Type.Object({
  token: Type.String({ description: 'a text that stands for a right; keep it secret' }),
  email: Email,
  name: UserName,
  password: UserPassword,
})

export const SignInBody = Type.Object({ email: Email, password: UserPassword })

/** Response of an authenticator (WebAuthn, 5.1); parsed by the library. */
export const PasskeyResponseBody = Type.Object(
  {
    id: Type.String({ maxLength: 2000, description: 'what names it in this account' }),
    rawId: Type.String({ maxLength: 2000, description: 'the id as base64url' }),
    type: buildTypeTag('public-key'),
    response: Type.Record(Type.String(), Type.Unknown(), { description: 'what the authenticator signed' }),
    clientExtensionResults: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'results of extensions, by name' }),
    ),
    authenticatorAttachment: Type.Optional(
      Type.String({ description: 'platform: of the device; cross-platform: any other' }),
    ),
  },
  { description: 'the JSON of a PublicKeyCredential' },
)
export type PasskeyResponseBody = Static<typeof PasskeyResponseBody>

/** Options for `navigator.credentials`, as JSON (WebAuthn, 5.1.10). */
export const PasskeyOptions = Type.Record(Type.String(), Type.Unknown(), {
  description: 'options of navigator.credentials as JSON; good for 5 minutes, and once',
})

export const SecondFactorBody = Type.Object({
  code: Type.Optional(Type.String({ description: 'six digits', maxLength: 20 })),
  recovery: Type.Optional(Type.String({ description: 'a recovery code', maxLength: 50 })),
  passkey: Type.Optional(PasskeyResponseBody),
})
export type SecondFactorBody = Static<typeof SecondFactorBody>

export const PasskeySignInBody = Type.Object({ passkey: PasskeyResponseBody })

export const SignInResult = Type.Object({
  state: enumOf(['done', 'second-factor'], 'where it stands on its way'),
  methods: Type.Optional(Type.Array(enumOf(['code', 'recovery', 'passkey']), { description: 'of a second factor' })),
})
export type SignInResult = Static<typeof SignInResult>

export const PasswordResetBody = Type.Object({ email: Email })
const LinkToken = Type.String({ maxLength: 200, description: 'of the link, behind #token=' })
export const NewPasswordBody = Type.Object({ password: UserPassword })
export const NewPasswordByLinkBody = Type.Object({ token: LinkToken, password: UserPassword })
export const PasswordChangeBody = Type.Object({ old: UserPassword, new: UserPassword })

export type InvitationPreview = Static<typeof InvitationPreview>
export const InvitationPreview = Type.Object({
  email: Type.String({ description: 'an email address' }),
  account: Type.Object(
    {
      code: Type.String({ description: 'a word or number that names it to programs' }),
      name: Type.String({ description: 'the name that people give it' }),
    },
    { description: 'the account, as its agency and customer together' },
  ),
  role: { ...UserRoleName, description: 'what a person may do in the account' },
  expiresAt: describedDate('when the link ends'),
  known: Type.Boolean({ description: 'there is a person with this email: their own password is asked for' }),
})
export const InvitationAcceptance = Type.Object({
  name: Type.Optional(Type.Union([UserName, Type.Null()], { description: 'of a new person' })),
  password: Type.Optional(
    Type.Union([UserPassword, Type.Null()], {
      description: 'a new one, or that of a known person; needless where that one is signed in',
    }),
  ),
})
export type InvitationAcceptance = Static<typeof InvitationAcceptance>
export const InvitationTokenBody = Type.Object({ token: LinkToken })
export const AcceptanceByLinkBody = Type.Object({ token: LinkToken, ...InvitationAcceptance.properties })

export const UserSessionResource = Type.Object({
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  current: Type.Boolean({ description: 'whether it is that of this request' }),
  browser: describedText('as it names itself'),
  address: describedText('where it signed in from'),
  createdAt: describedDate('sign-in'),
  lastUsedAt: describedDate('to the minute'),
})
export type UserSessionResource = Static<typeof UserSessionResource>

export const ReauthenticationBody = Type.Object({
  password: Type.Optional(UserPassword),
  passkey: Type.Optional(PasskeyResponseBody),
})
export type ReauthenticationBody = Static<typeof ReauthenticationBody>

export const UserProfileBody = Type.Object({ name: Type.Optional(UserName), locale: Type.Optional(UserLocaleName) })

export const TotpSetUpBody = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 20, description: 'a word or number that names it to programs' })),
})
export const TotpSetUpResult = Type.Object({
  secret: Type.Optional(describedText('base32; shown until a code of it was right')),
  uri: Type.Optional(describedText('otpauth address for a QR code')),
  recovery: Type.Optional(Type.Array(Type.String(), { description: 'recovery codes, shown this once' })),
})
export const RecoveryCodesResult = Type.Object({
  recovery: Type.Array(Type.String(), { description: 'shown this once' }),
})

export const NewPasskeyBody = Type.Object({
  name: Type.Optional(UserName),
  passkey: Type.Optional(PasskeyResponseBody),
})
export const PasskeyResource = Type.Object({
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  name: Type.String({ description: 'the name that people give it' }),
  createdAt: describedDate('when it was added'),
  lastUsedAt: nullable(describedDate('null: never')),
})
export type PasskeyResource = Static<typeof PasskeyResource>
export const NewPasskeyResult = Type.Object({
  options: Type.Optional(PasskeyOptions),
  passkey: Type.Optional({ ...PasskeyResource, description: 'a passkey' }),
})

export const NewInvitationBody = Type.Object({
  email: Email,
  role: { ...UserRoleName, description: 'what a person may do in the account' },
})
export type NewInvitationBody = Static<typeof NewInvitationBody>
export const InvitationResource = Type.Object({
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  email: Type.String({ description: 'an email address' }),
  role: { ...UserRoleName, description: 'what a person may do in the account' },
  createdAt: describedDate('when it was made'),
  expiresAt: describedDate('7 days later'),
})
export type InvitationResource = Static<typeof InvitationResource>
export const CreatedInvitation = Type.Object({
  ...InvitationResource.properties,
  link: Type.Optional(describedText('where no mail could be sent: to be handed over, shown this once')),
})
export type CreatedInvitation = Static<typeof CreatedInvitation>

export const MemberChangeBody = Type.Object({
  role: Type.Optional({ ...UserRoleName, description: 'what a person may do in the account' }),
  active: Type.Optional(Type.Boolean({ description: 'whether it is in use' })),
})
export type MemberChangeBody = Static<typeof MemberChangeBody>

const keyProperties = {
  id: Type.Integer({ description: 'what names it in this account' }),
  name: Type.String({ description: 'the name that people give it' }),
  rights: AccessRights,
  createdAt: describedDate('when it was made'),
  expiresAt: nullable(describedDate('null: never')),
  lastUsedAt: nullable(describedDate('to the minute; null: never')),
}
export const ApiKeyResource = Type.Object(keyProperties)
export type ApiKeyResource = Static<typeof ApiKeyResource>
export const NewApiKeyBody = Type.Object({
  name: UserName,
  rights: Type.Array(enumOf(accessRights), { minItems: 1, uniqueItems: true, description: 'what may be done' }),
  expires: Type.Optional(
    Type.Unsafe<string | number | null>({
      type: ['string', 'number', 'null'],
      description: 'a date; null or absent: never',
    }),
  ),
})
export type NewApiKeyBody = Static<typeof NewApiKeyBody>
export const CreatedApiKey = Type.Object({ ...keyProperties, key: describedText('shown this once') })

export const AccountResource = Type.Object({
  code: describedText('such as ACME001'),
  name: Type.String({ description: 'the name that people give it' }),
  createdAt: describedDate('when it was made'),
})
export type AccountResource = Static<typeof AccountResource>
export const NewAccountBody = Type.Object({
  code: Type.String({ pattern: '^[A-Z0-9]{4}[A-Z0-9]{3}$', description: 'agency and customer, such as ACME001' }),
  name: UserName,
})
export const AccountChangeBody = Type.Object({ name: Type.Optional(UserName) })

const PersonAccount = Type.Object({
  code: Type.String({ description: 'a word or number that names it to programs' }),
  name: Type.String({ description: 'the name that people give it' }),
  role: Type.Union([UserRoleName, Type.Null()], { description: 'null: of a key, or of an operator who is no member' }),
})

export const CallerResource = Type.Object({
  person: Type.Optional({ ...UserResource, description: 'the person that asks' }),
  key: Type.Optional(
    Type.Object(
      {
        id: Type.Integer({ description: 'what names it in this account' }),
        name: Type.String({ description: 'the name that people give it' }),
      },
      { description: 'the API key that asks; absent: it is a person' },
    ),
  ),
  account: Type.Union(
    [
      Type.Object({
        code: Type.String({ description: 'a word or number that names it to programs' }),
        name: Type.String({ description: 'the name that people give it' }),
      }),
      Type.Null(),
    ],
    { description: 'the account, as its agency and customer together' },
  ),
  rights: AccessRights,
  masked: Type.Boolean({ description: 'values of contacts are shown masked' }),
  approval: Type.Boolean({ description: 'the account asks for approvals' }),
  secondFactorRequired: Type.Boolean({ description: 'the account asks for a second factor that this session has not' }),
  confirmedUntil: nullable(describedDate('until when one’s own settings can be changed; null: confirm first')),
  accounts: Type.Array(PersonAccount, { description: 'where the person or key may do something' }),
})
export type CallerResource = Static<typeof CallerResource>

/** Problem types of the operations of one's own account by status. */
export const ownUserRefusals = {
  401: 'second-factor-wrong sign-in-over sign-in-refused',
  403: 'confirm-again session-required',
  429: 'too-many-tries',
}
/** Problem types of the operations that sign in and out by status. */
export const signInRefusals = {
  401: 'sign-in-refused sign-in-over second-factor-wrong unauthorized',
  403: 'cross-site https-needed session-required',
  421: 'misdirected',
  429: 'too-many-tries',
}
