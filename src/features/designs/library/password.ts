import {
  createLibraryTheme,
  createServiceFooter,
  createShopHeader,
  createSingleColumnRow,
  type LibraryEntry,
  libraryBlocks,
  libraryPalettes,
} from './builder.ts'

export const passwordDesign: LibraryEntry = {
  id: 'password',
  category: 'service',
  name: { en: 'New password', fr: 'Nouveau mot de passe' },
  description: {
    en: 'One link that works once, and what to do if nobody asked for it. Reads data.url.',
    fr: 'Un lien qui sert une fois, et que faire si personne ne l’a demandé. Lit data.url.',
  },
  make: (t, language) => ({
    version: 1,
    language,
    title: t('A new password', 'Un nouveau mot de passe'),
    preheader: t('The link works once, for an hour.', 'Le lien est à usage unique et expire dans une heure.'),
    theme: createLibraryTheme(libraryPalettes.ink),
    rows: [
      createShopHeader(),
      createSingleColumnRow([
        libraryBlocks.heading(t('Choose a new password', 'Choisissez un nouveau mot de passe'), { level: 2 }),
        libraryBlocks.text(
          t(
            'Somebody, most likely you, asked for a new password. This link works once, for an hour.',
            'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe. Ce lien est à usage unique et expire dans une heure.',
          ),
        ),
        libraryBlocks.button(t('Choose a password', 'Choisir un mot de passe'), '{{ data.url }}'),
        libraryBlocks.text(
          t(
            'It was not you? Then do nothing: your password stays as it is.',
            'Ce n’était pas vous ? Ne faites rien : votre mot de passe reste le même.',
          ),
          { tone: 'muted', size: 14 },
        ),
      ]),
      createServiceFooter(t),
    ],
  }),
}
