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

export const UserLocaleName = enumOf(userLocales, 'Language of the console and of emails to the user.')
/** The roles, in words. */
const ROLES_IN_WORDS =
  '`viewer`: may read. `author`: may read and write. `sender`: may send in addition. `admin`: has all rights.'
/** The rights, in words. */
const RIGHTS_IN_WORDS =
  '`read`: read data. `write`: create, change and delete objects, such as contacts and actions. `send`: test, ' +
  'validate, activate and send. `admin`: manage users, keys, settings, webhooks, applications, RCS profiles and ' +
  'pressure rules.'

export const UserRoleName = enumOf(memberRoles)
export const AccessRights = Type.Array(enumOf(accessRights), {
  description: `Rights of the caller or key. ${RIGHTS_IN_WORDS}`,
})
export const UserName = Type.String({ minLength: 1, maxLength: 200, description: 'Name, as shown to users.' })
const Email = Type.String({ maxLength: 254, description: 'Email address of the user.' })
/** Its length is judged in characters, by the rules of passwords. */
export const UserPassword = Type.String({ maxLength: 1000, description: 'Password of 12 to 200 characters.' })

export const AccountMembership = Type.Object({
  account: describedText('Code of the account, such as `ACME001`.'),
  role: { ...UserRoleName, description: `Role in the account. ${ROLES_IN_WORDS}` },
})

export const UserResource = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the user.' }),
  email: describedText('Email address; unique in the installation.'),
  name: Type.String({ description: 'Name of the user.' }),
  locale: UserLocaleName,
  active: Type.Boolean({ description: 'False: the user cannot sign in.' }),
  secondFactor: enumOf(
    ['none', 'totp', 'passkey'],
    'Second factor of the user. `none`: none. `totp`: an authenticator app. `passkey`: a passkey.',
  ),
  operator: Type.Boolean({ description: 'True: an operator of the installation, with all rights in every account.' }),
  createdAt: describedDate('Time of creation, in UTC.'),
  lastSignInAt: nullable(describedDate('Time of the last sign-in, in UTC. Null: never.')),
  memberships: Type.Array(AccountMembership, {
    description: 'Accounts of the user with the role in each. Admins see only the membership in their own account.',
  }),
})
export type UserResource = Static<typeof UserResource>

export const SetUpBody = Type.Object({
  token: Type.String({ description: 'Token of the setup link, from its `#token=`. Keep it secret.' }),
  email: Email,
  name: UserName,
  password: UserPassword,
})

export const SignInBody = Type.Object({ email: Email, password: UserPassword })

const base64urlMember = (description: string) =>
  Type.Optional(Type.String({ description: `${description}, base64url.` }))

/** Members of both kinds of responses: at registration and at sign-in. */
const AuthenticatorResponse = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    {
      clientDataJSON: base64urlMember('Data of the client'),
      attestationObject: base64urlMember('Attestation, at registration'),
      transports: Type.Optional(
        Type.Array(Type.String(), { description: 'Ways to reach the authenticator, at registration.' }),
      ),
      authenticatorData: base64urlMember('Data of the authenticator'),
      signature: base64urlMember('Signature, at sign-in'),
      userHandle: Type.Optional(
        Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'ID of the user, at sign-in, base64url. Null: none.',
        }),
      ),
    },
    { additionalProperties: true, description: 'Response of the authenticator, with its signature.' },
  ),
)

/** Response of an authenticator (WebAuthn, 5.1); parsed by the library. */
export const PasskeyResponseBody = Type.Object(
  {
    id: Type.String({ maxLength: 2000, description: 'ID of the credential.' }),
    rawId: Type.String({ maxLength: 2000, description: 'ID of the credential in base64url.' }),
    type: buildTypeTag('public-key'),
    response: AuthenticatorResponse,
    clientExtensionResults: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Results of WebAuthn extensions, by name.' }),
    ),
    authenticatorAttachment: Type.Optional(
      Type.String({ description: '`platform`: authenticator of the device. `cross-platform`: any other.' }),
    ),
  },
  { description: '`PublicKeyCredential` of the browser, as JSON.' },
)
export type PasskeyResponseBody = Static<typeof PasskeyResponseBody>

/** Options for `navigator.credentials`, as JSON (WebAuthn, 5.1.10). */
export const PasskeyOptions = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Options for `navigator.credentials`, as JSON; valid for 5 minutes and for one use.',
})

export const SecondFactorBody = Type.Object({
  code: Type.Optional(Type.String({ description: 'Six-digit code of the authenticator app.', maxLength: 20 })),
  recovery: Type.Optional(Type.String({ description: 'Recovery code.', maxLength: 50 })),
  passkey: Type.Optional(PasskeyResponseBody),
})
export type SecondFactorBody = Static<typeof SecondFactorBody>

export const PasskeySignInBody = Type.Object({ passkey: PasskeyResponseBody })

export const SignInResult = Type.Object({
  state: enumOf(['done', 'second-factor'], '`done`: signed in. `second-factor`: the second factor is required next.'),
  methods: Type.Optional(
    Type.Array(enumOf(['code', 'recovery', 'passkey']), {
      description:
        'Accepted kinds of second factor. `code`: code of the authenticator app. `recovery`: recovery code. `passkey`: ' +
        'response of a passkey. Absent: none is required.',
    }),
  ),
})
export type SignInResult = Static<typeof SignInResult>

export const PasswordResetBody = Type.Object({ email: Email })
const LinkToken = Type.String({ maxLength: 200, description: 'Token of the link, from its `#token=`.' })
export const NewPasswordBody = Type.Object({ password: UserPassword })
export const NewPasswordByLinkBody = Type.Object({ token: LinkToken, password: UserPassword })
export const PasswordChangeBody = Type.Object({ old: UserPassword, new: UserPassword })

export type InvitationPreview = Static<typeof InvitationPreview>
export const InvitationPreview = Type.Object({
  email: Type.String({ description: 'Email address of the invited user.' }),
  account: Type.Object(
    {
      code: Type.String({ description: 'Code of the account, such as `ACME001`.' }),
      name: Type.String({ description: 'Name of the account.' }),
    },
    { description: 'Account of the invitation.' },
  ),
  role: { ...UserRoleName, description: `Role in the account. ${ROLES_IN_WORDS}` },
  expiresAt: describedDate('Time of expiry, in UTC.'),
  known: Type.Boolean({
    description: 'True: the email address belongs to an existing user, who confirms with the current password.',
  }),
})
export const InvitationAcceptance = Type.Object({
  name: Type.Optional(Type.Union([UserName, Type.Null()], { description: 'Name of a new user; required for one.' })),
  password: Type.Optional(
    Type.Union([UserPassword, Type.Null()], {
      description:
        'Password to set for a new user, or current password of an existing user. Not required if that user ' +
        'is signed in.',
    }),
  ),
})
export type InvitationAcceptance = Static<typeof InvitationAcceptance>
export const InvitationTokenBody = Type.Object({ token: LinkToken })
export const AcceptanceByLinkBody = Type.Object({ token: LinkToken, ...InvitationAcceptance.properties })

export const UserSessionResource = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the session.' }),
  current: Type.Boolean({ description: 'True: session of this request.' }),
  browser: describedText('Browser, by its `User-Agent` header.'),
  address: describedText('Network address of the sign-in.'),
  createdAt: describedDate('Time of the sign-in, in UTC.'),
  lastUsedAt: describedDate('Time of the last request, in UTC, accurate to the minute.'),
})
export type UserSessionResource = Static<typeof UserSessionResource>

export const ReauthenticationBody = Type.Object({
  password: Type.Optional(UserPassword),
  passkey: Type.Optional(PasskeyResponseBody),
})
export type ReauthenticationBody = Static<typeof ReauthenticationBody>

export const UserProfileBody = Type.Object({ name: Type.Optional(UserName), locale: Type.Optional(UserLocaleName) })

export const TotpSetUpBody = Type.Object({
  code: Type.Optional(
    Type.String({
      maxLength: 20,
      description: 'Code shown by the authenticator app. Absent: a new secret is proposed.',
    }),
  ),
})
export const TotpSetUpResult = Type.Object({
  secret: Type.Optional(describedText('Proposed secret in base32; takes effect when one of its codes is confirmed.')),
  uri: Type.Optional(describedText('`otpauth` address of the secret, for a QR code.')),
  recovery: Type.Optional(Type.Array(Type.String(), { description: 'Recovery codes, shown only once.' })),
})
export const RecoveryCodesResult = Type.Object({
  recovery: Type.Array(Type.String(), { description: 'Recovery codes, shown only once.' }),
})

export const NewPasskeyBody = Type.Object({
  name: Type.Optional(UserName),
  passkey: Type.Optional(PasskeyResponseBody),
})
export const PasskeyResource = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the passkey.' }),
  name: Type.String({ description: 'Name of the passkey.' }),
  createdAt: describedDate('Time of creation, in UTC.'),
  lastUsedAt: nullable(describedDate('Time of the last use, in UTC. Null: never.')),
})
export type PasskeyResource = Static<typeof PasskeyResource>
export const NewPasskeyResult = Type.Object({
  options: Type.Optional(PasskeyOptions),
  passkey: Type.Optional({ ...PasskeyResource, description: 'Added passkey.' }),
})

export const NewInvitationBody = Type.Object({
  email: Email,
  role: { ...UserRoleName, description: `Role in the account. ${ROLES_IN_WORDS}` },
})
export type NewInvitationBody = Static<typeof NewInvitationBody>
export const InvitationResource = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the invitation.' }),
  email: Type.String({ description: 'Email address of the invited user.' }),
  role: { ...UserRoleName, description: `Role in the account. ${ROLES_IN_WORDS}` },
  createdAt: describedDate('Time of creation, in UTC.'),
  expiresAt: describedDate('Time of expiry, in UTC: 7 days after creation.'),
})
export type InvitationResource = Static<typeof InvitationResource>
export const CreatedInvitation = Type.Object({
  ...InvitationResource.properties,
  link: Type.Optional(
    describedText('Link of the invitation, shown only once. Present if no email could be sent; deliver it yourself.'),
  ),
})
export type CreatedInvitation = Static<typeof CreatedInvitation>

export const MemberChangeBody = Type.Object({
  role: Type.Optional({ ...UserRoleName, description: `Role in the account. ${ROLES_IN_WORDS}` }),
  active: Type.Optional(Type.Boolean({ description: 'False: the user cannot sign in to any account.' })),
})
export type MemberChangeBody = Static<typeof MemberChangeBody>

const keyProperties = {
  id: Type.Integer({ description: 'ID of the key.' }),
  name: Type.String({ description: 'Name of the key.' }),
  rights: AccessRights,
  createdAt: describedDate('Time of creation, in UTC.'),
  expiresAt: nullable(describedDate('Time of expiry, in UTC. Null: never.')),
  lastUsedAt: nullable(describedDate('Time of the last use, in UTC, accurate to the minute. Null: never.')),
}
export const ApiKeyResource = Type.Object(keyProperties)
export type ApiKeyResource = Static<typeof ApiKeyResource>
export const NewApiKeyBody = Type.Object({
  name: UserName,
  rights: Type.Array(enumOf(accessRights), {
    minItems: 1,
    uniqueItems: true,
    description: `Rights of the key; at most those of the caller. ${RIGHTS_IN_WORDS}`,
  }),
  expires: Type.Optional(
    Type.Unsafe<string | number | null>({
      type: ['string', 'number', 'null'],
      description: 'Time of expiry, in the future. Null or absent: never.',
    }),
  ),
})
export type NewApiKeyBody = Static<typeof NewApiKeyBody>
export const CreatedApiKey = Type.Object({ ...keyProperties, key: describedText('The key itself, shown only once.') })

export const AccountResource = Type.Object({
  code: describedText('Code of the account, such as `ACME001`.'),
  name: Type.String({ description: 'Name of the account.' }),
  createdAt: describedDate('Time of creation, in UTC.'),
})
export type AccountResource = Static<typeof AccountResource>
export const NewAccountBody = Type.Object({
  code: Type.String({
    pattern: '^[A-Z0-9]{4}[A-Z0-9]{3}$',
    description: 'Code of the account: four characters of the agency and three of the customer, such as `ACME001`.',
  }),
  name: UserName,
})
export const AccountChangeBody = Type.Object({ name: Type.Optional(UserName) })

const PersonAccount = Type.Object({
  code: Type.String({ description: 'Code of the account, such as `ACME001`.' }),
  name: Type.String({ description: 'Name of the account.' }),
  role: Type.Union([UserRoleName, Type.Null()], {
    description: `Role in the account. ${ROLES_IN_WORDS} Null: the caller is a key, or an operator without membership.`,
  }),
})

export const CallerResource = Type.Object({
  person: Type.Optional({ ...UserResource, description: 'Signed-in user. Absent: the caller is a key.' }),
  key: Type.Optional(
    Type.Object(
      {
        id: Type.Integer({ description: 'ID of the key.' }),
        name: Type.String({ description: 'Name of the key.' }),
      },
      { description: 'API key of the caller. Absent: the caller is a user.' },
    ),
  ),
  account: Type.Union(
    [
      Type.Object({
        code: Type.String({ description: 'Code of the account, such as `ACME001`.' }),
        name: Type.String({ description: 'Name of the account.' }),
      }),
      Type.Null(),
    ],
    { description: 'Account of the request. Null: none.' },
  ),
  rights: AccessRights,
  masked: Type.Boolean({
    description: 'True: email addresses and phone numbers of contacts are masked for this user.',
  }),
  approval: Type.Boolean({ description: 'True: the account requires approvals.' }),
  secondFactorRequired: Type.Boolean({
    description: 'True: the account requires a second factor, and this session has none.',
  }),
  confirmedUntil: nullable(
    describedDate(
      'Time until which the caller can change their own settings, in UTC. Null: confirm the password or a ' +
        'passkey first.',
    ),
  ),
  accounts: Type.Array(PersonAccount, { description: 'Accounts to which the caller has access.' }),
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
