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
      `Your invitation to ${account}`,
      `You are invited to work in the account ${account}.`,
      'To accept, open this address. It is good for 7 days, and once:',
      link,
      'If you do not know what this is about, there is nothing to do.',
    ),
  fr: (account: string, link: string) =>
    composeMailText(
      `Votre invitation à ${account}`,
      `Vous êtes invité à travailler dans le compte ${account}.`,
      'Pour accepter, ouvrez cette adresse. Elle est valable 7 jours, une seule fois :',
      link,
      'Si vous ne savez pas de quoi il s’agit, vous n’avez rien à faire.',
    ),
}

/** A link for a new password. */
export const passwordResetMailTexts = {
  en: (link: string) =>
    composeMailText(
      'Your new password',
      'Somebody, probably you, asked for a new password.',
      'To choose it, open this address. It is good for an hour, and once:',
      link,
      'If it was not you, there is nothing to do: your password stays as it is.',
    ),
  fr: (link: string) =>
    composeMailText(
      'Votre nouveau mot de passe',
      'Quelqu’un, probablement vous, a demandé un nouveau mot de passe.',
      'Pour le choisir, ouvrez cette adresse. Elle est valable une heure, une seule fois :',
      link,
      'Si ce n’était pas vous, vous n’avez rien à faire : votre mot de passe reste le même.',
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
      'A sign-in from a new browser',
      `On ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC somebody signed in as you from ${address} (${browser || 'an unknown browser'}).`,
      'If it was not you, change your password: that ends all other sessions.',
    ),
  fr: ({ at, address, browser }: SignInDetails) =>
    composeMailText(
      'Connexion depuis un nouveau navigateur',
      `Le ${at.toISOString().slice(0, 16).replace('T', ' à ')} UTC, quelqu’un s’est connecté en votre nom depuis ${address} (${browser || 'navigateur inconnu'}).`,
      'Si ce n’était pas vous, changez votre mot de passe : toutes les autres sessions prennent fin.',
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
      'A key that may send was made',
      `${by ?? 'Another key'} made the key "${key}", which may send. Keys are not asked for approvals.`,
      'If that should not be, revoke it in the console, under Developers.',
    ),
  fr: ({ key, by }: CreatedKeyDetails) =>
    composeMailText(
      'Une clé qui peut envoyer a été créée',
      `${by ?? 'Une autre clé'} a créé la clé « ${key} », qui peut envoyer. Les clés ne demandent pas d’approbation.`,
      'Si cela ne doit pas être, révoquez-la dans la console, sous Développeurs.',
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
      `Approvals of ${code} are switched off`,
      `${by ?? 'A key'} switched approvals off: in the account ${code} everybody who may send now sends without the word of another person.`,
      'If that should not be, switch them on again in the console, under Settings.',
    ),
  fr: ({ code, by }: DisabledApprovalsDetails) =>
    composeMailText(
      `Les approbations de ${code} sont désactivées`,
      `${by ?? 'Une clé'} a désactivé les approbations : dans le compte ${code}, qui peut envoyer envoie désormais sans l’accord d’une autre personne.`,
      'Si cela ne doit pas être, réactivez-les dans la console, sous Paramètres.',
    ),
}

/** A campaign did not begin, as it was approved for other criteria. */
export const campaignHeldMailTexts = {
  en: (campaign: string) =>
    composeMailText(
      `"${campaign}" did not begin`,
      `The campaign "${campaign}" was approved, and the criteria of its segments have changed since: it did not begin.`,
      'Look at its segments in the console, test it, and have it approved again.',
    ),
  fr: (campaign: string) =>
    composeMailText(
      `« ${campaign} » n’a pas démarré`,
      `La campagne « ${campaign} » avait été approuvée, mais les critères de ses segments ont changé depuis : elle n’a pas démarré.`,
      'Vérifiez ses segments dans la console, testez-la et faites-la approuver de nouveau.',
    ),
}
