import type { PageLanguage } from './languages.ts'

type LocalizedTexts = Readonly<Record<PageLanguage, string>>

interface StatusPage {
  status: number
  heading: LocalizedTexts
  text: LocalizedTexts
}

/** The pages with one fixed text. */
export const statusPageTexts = {
  notFound: {
    status: 404,
    heading: { en: 'This page does not exist', fr: 'Cette page n’existe pas' },
    text: {
      en: 'The link may have been cut short or changed on its way. Open it again from the message you received.',
      fr: 'Le lien a peut-être été coupé ou modifié en chemin. Ouvrez-le à nouveau depuis le message reçu.',
    },
  },
  tooMany: {
    status: 429,
    heading: { en: 'Please wait a minute', fr: 'Merci de patienter une minute' },
    text: {
      en: 'Too many links that do not exist were opened from your network.',
      fr: 'Trop de liens qui n’existent pas ont été ouverts depuis votre réseau.',
    },
  },
  gone: {
    status: 410,
    heading: { en: 'This message is no longer available', fr: 'Ce message n’est plus disponible' },
    text: {
      en: 'Its online version was removed.',
      fr: 'Sa version en ligne a été supprimée.',
    },
  },
  formGone: {
    status: 410,
    heading: { en: 'This form is closed', fr: 'Ce formulaire est fermé' },
    text: {
      en: 'It was removed and no longer accepts answers.',
      fr: 'Il a été supprimé et ne reçoit plus de réponses.',
    },
  },
  unavailable: {
    status: 503,
    heading: { en: 'Please try again in a moment', fr: 'Merci de réessayer dans un instant' },
    text: {
      en: 'Your request could not be recorded just now, and nothing has changed. The link still works.',
      fr: 'Votre demande n’a pas pu être enregistrée pour l’instant et rien n’a changé. Le lien reste valable.',
    },
  },
  preview: {
    status: 200,
    heading: { en: 'This is a preview', fr: 'Ceci est un aperçu' },
    text: {
      en: 'In the message that is sent, this link leads to a page made for its reader.',
      fr: 'Dans le message envoyé, ce lien mène à une page propre à son destinataire.',
    },
  },
  unclear: {
    status: 400,
    heading: { en: 'Nothing has changed', fr: 'Rien n’a changé' },
    text: {
      en: 'The request was incomplete. Open the link of the message again and use the button.',
      fr: 'La demande était incomplète. Ouvrez à nouveau le lien du message et utilisez le bouton.',
    },
  },
  copy: {
    status: 200,
    heading: { en: 'This copy cannot unsubscribe', fr: 'Cette copie ne permet pas de se désinscrire' },
    text: {
      en: 'You received a copy of a message that was sent to somebody else. Only its main recipient can unsubscribe.',
      fr: 'Vous avez reçu la copie d’un message adressé à une autre personne. Seul son destinataire principal peut se désinscrire.',
    },
  },
  copyForm: {
    status: 200,
    heading: { en: 'This copy cannot answer', fr: 'Cette copie ne permet pas de répondre' },
    text: {
      en: 'Nothing was recorded: this link comes from a copy or a preview of a message. Only its main recipient can answer.',
      fr: 'Rien n’a été enregistré : ce lien vient d’une copie ou d’un aperçu. Seul le destinataire principal du message peut répondre.',
    },
  },
} as const satisfies Record<string, StatusPage>
