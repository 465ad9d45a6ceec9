/** A mail to a person, ready to be sent. */
export interface UserMailText {
  subject: string
  text: string
}

/** A text of paragraphs. */
function composeMailText(subject: string, ...paragraphs: readonly string[]): UserMailText {
  return { subject, text: `${paragraphs.join('\n\n')}\n` }
}

/** An invitation into an account. */
export const invitationMailTexts = {
  en: (account: string, link: string) =>
    composeMailText(
      `Invitation to ${account}`,
      `You have been invited to join the account ${account}.`,
      'To accept, open this link. It works once and expires in 7 days:',
      link,
      'If you did not expect this invitation, you can ignore this email.',
    ),
  fr: (account: string, link: string) =>
    composeMailText(
      `Invitation à rejoindre ${account}`,
      `Vous êtes invité à rejoindre le compte ${account}.`,
      'Pour accepter, ouvrez ce lien. Il est valable 7 jours et ne peut servir qu’une fois :',
      link,
      'Si vous n’attendiez pas cette invitation, ignorez cet e-mail.',
    ),
}

/** A link for a new password. */
export const passwordResetMailTexts = {
  en: (link: string) =>
    composeMailText(
      'Reset your password',
      'Someone requested a new password for your account.',
      'To choose a new password, open this link. It works once and expires in an hour:',
      link,
      'If you did not request this, you can ignore this email. Your password does not change.',
    ),
  fr: (link: string) =>
    composeMailText(
      'Réinitialisation de votre mot de passe',
      'Un nouveau mot de passe a été demandé pour votre compte.',
      'Pour en choisir un, ouvrez ce lien. Il est valable une heure et ne peut servir qu’une fois :',
      link,
      'Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail. Votre mot de passe ne change pas.',
    ),
}

interface SignInDetails {
  at: Date
  address: string
  browser: string
}

/** A sign-in from a browser that was not known. */
export const newBrowserMailTexts = {
  en: ({ at, address, browser }: SignInDetails) =>
    composeMailText(
      'New sign-in to your account',
      `On ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC, someone signed in to your account from ${address} (${browser || 'unknown browser'}).`,
      'If this was not you, change your password now. This also ends all other sessions.',
    ),
  fr: ({ at, address, browser }: SignInDetails) =>
    composeMailText(
      'Nouvelle connexion à votre compte',
      `Le ${at.toISOString().slice(0, 16).replace('T', ' à ')} UTC, une personne s’est connectée à votre compte depuis ${address} (${browser || 'navigateur inconnu'}).`,
      'Si ce n’était pas vous, changez votre mot de passe sans attendre. Toutes les autres sessions seront fermées.',
    ),
}

interface CreatedKeyDetails {
  key: string
  by: string | null
}

/** A key that may send was made in an account that asks for approvals. */
export const apiKeyMailTexts = {
  en: ({ key, by }: CreatedKeyDetails) =>
    composeMailText(
      'New API key with the right to send',
      `${by ?? 'Another API key'} created the API key "${key}", which has the right to send. API keys do not need approvals.`,
      'If this key should not exist, revoke it in the console, under Developers.',
    ),
  fr: ({ key, by }: CreatedKeyDetails) =>
    composeMailText(
      'Nouvelle clé d’API autorisée à envoyer',
      `${by ?? 'Une autre clé d’API'} a créé la clé d’API « ${key} », autorisée à envoyer. Les clés d’API n’ont pas besoin d’approbation.`,
      'Si cette clé ne devrait pas exister, révoquez-la dans la console, sous Développeurs.',
    ),
}

interface DisabledApprovalsDetails {
  code: string
  by: string | null
}

/** The approvals of an account were switched off. */
export const approvalsOffMailTexts = {
  en: ({ code, by }: DisabledApprovalsDetails) =>
    composeMailText(
      `Approvals turned off in ${code}`,
      `${by ?? 'An API key'} turned off approvals in the account ${code}. Everyone with the right to send can now send without approval.`,
      'If this was not intended, turn them on again in the console, under Settings.',
    ),
  fr: ({ code, by }: DisabledApprovalsDetails) =>
    composeMailText(
      `Approbations désactivées dans ${code}`,
      `${by ?? 'Une clé d’API'} a désactivé les approbations dans le compte ${code}. Toute personne autorisée à envoyer peut désormais le faire sans approbation.`,
      'Si ce n’était pas voulu, réactivez-les dans la console, sous Paramètres.',
    ),
}

/** A campaign did not begin, as it was approved for other criteria. */
export const campaignHeldMailTexts = {
  en: (campaign: string) =>
    composeMailText(
      `"${campaign}" did not start`,
      `The campaign "${campaign}" did not start, because the criteria of its segments changed after it was approved.`,
      'Check its segments in the console, test the campaign and request approval again.',
    ),
  fr: (campaign: string) =>
    composeMailText(
      `« ${campaign} » n’a pas démarré`,
      `La campagne « ${campaign} » n’a pas démarré, car les critères de ses segments ont changé après son approbation.`,
      'Vérifiez ses segments dans la console, testez la campagne et demandez une nouvelle approbation.',
    ),
}
