import {
  createLibraryTheme,
  createMarketingFooter,
  createRichText,
  createShopHeader,
  createSingleColumnRow,
  type LibraryEntry,
  libraryBlocks,
  libraryPalettes,
} from './builder.ts'

export const winBackDesign: LibraryEntry = {
  id: 'win-back',
  category: 'marketing',
  name: { en: 'Win-back', fr: 'Reconquête' },
  description: {
    en: 'To those who have not opened for long: stay, or leave in good terms.',
    fr: 'À ceux qui n’ouvrent plus : rester, ou se quitter en bons termes.',
  },
  make: (t, language) => ({
    version: 1,
    language,
    title: t('Shall we go on?', 'On continue ?'),
    preheader: t('One click, whichever way.', 'Un clic, quel que soit votre choix.'),
    theme: createLibraryTheme(libraryPalettes.clay, { heading: 'serif', body: 'serif' }),
    rows: [
      createShopHeader(),
      createSingleColumnRow([
        libraryBlocks.heading(t('Shall we go on?', 'On continue ?')),
        libraryBlocks.text(
          createRichText(
            t(
              'You have not opened our letters for some time. That is quite all right: people change, and so do mailboxes.',
              'Vous n’avez pas ouvert nos lettres depuis quelque temps. C’est tout à fait normal : les envies changent, et les boîtes aux lettres aussi.',
            ),
            t(
              'Before we stop writing, one question: would you like to stay?',
              'Avant de cesser d’écrire, une question : voulez-vous rester ?',
            ),
          ),
          { size: 18 },
        ),
        libraryBlocks.button(t('Yes, keep writing', 'Oui, continuez'), 'https://shop.example/stay?c={{ contact.id }}'),
        libraryBlocks.text(
          t(
            'No answer is an answer, too: in 30 days we stop, and you can come back whenever you like.',
            'Ne pas répondre est aussi une réponse : dans 30 jours nous cessons d’écrire, et vous pourrez revenir quand vous voudrez.',
          ),
          { tone: 'muted' },
        ),
      ]),
      createMarketingFooter(t),
    ],
  }),
}
