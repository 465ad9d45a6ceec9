import {
  boldText,
  createLibraryTheme,
  createMarketingFooter,
  createShopHeader,
  createSingleColumnRow,
  joinRichTextLines,
  type LibraryEntry,
  libraryBlocks,
  libraryPalettes,
} from './builder.ts'

export const welcomeDesign: LibraryEntry = {
  id: 'welcome',
  category: 'marketing',
  name: { en: 'Welcome', fr: 'Bienvenue' },
  description: {
    en: 'The first message: what to expect, three steps, a way to answer.',
    fr: 'Le premier message : à quoi s’attendre, trois étapes, comment répondre.',
  },
  make: (t, language) => ({
    version: 1,
    language,
    title: t('Welcome', 'Bienvenue'),
    preheader: t('Three things that make the beginning easy.', 'Trois choses pour bien commencer.'),
    theme: createLibraryTheme(libraryPalettes.clay, { heading: 'serif', body: 'sans' }),
    rows: [
      createShopHeader(),
      createSingleColumnRow([
        libraryBlocks.heading(
          t(
            'Welcome, {{ contact.Firstname | default: "and thank you" }}',
            'Bienvenue, {{ contact.Firstname | default: "et merci" }}',
          ),
        ),
        libraryBlocks.text(
          t(
            'Good to have you here. We write twice a month, only when there is something to say, and you can leave at any time.',
            'Heureux de vous compter parmi nous. Nous écrivons deux fois par mois, seulement quand il y a quelque chose à dire, et vous pouvez partir à tout moment.',
          ),
          { size: 18 },
        ),
      ]),
      createSingleColumnRow(
        [
          libraryBlocks.text(
            joinRichTextLines(
              [boldText(t('1. Tell us what you like', '1. Dites-nous ce que vous aimez'))],
              t('So that you get that, and nothing else.', 'Pour ne recevoir que cela.'),
            ),
          ),
          libraryBlocks.text(
            joinRichTextLines(
              [boldText(t('2. Look around', '2. Faites le tour'))],
              t('The ten things that others came back for.', 'Les dix objets qui font revenir nos clients.'),
            ),
          ),
          libraryBlocks.text(
            joinRichTextLines(
              [boldText(t('3. Take 10 % off', '3. Profitez de 10 %'))],
              t('Your code: WELCOME. It is good for 30 days.', 'Votre code : BIENVENUE. Il vaut 30 jours.'),
            ),
          ),
          libraryBlocks.button(t('Begin here', 'Commencer'), 'https://shop.example/welcome'),
        ],
        { background: 'tinted' },
      ),
      createSingleColumnRow([
        libraryBlocks.text(
          t(
            'Just answer this message if something is unclear: we read every one.',
            'Répondez simplement à ce message si quelque chose n’est pas clair : nous les lisons tous.',
          ),
        ),
      ]),
      createMarketingFooter(t),
    ],
  }),
}
