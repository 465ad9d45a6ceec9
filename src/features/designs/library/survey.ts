import {
  centreRichText,
  createLibraryTheme,
  createMarketingFooter,
  createRichText,
  createShopHeader,
  createSingleColumnRow,
  type LibraryEntry,
  libraryBlocks,
  libraryPalettes,
} from './builder.ts'

/** Answers, from the worst: their place is what the address says. */
const SURVEY_ANSWERS = [
  ['Poor', 'Mal'],
  ['Fair', 'Bof'],
  ['Good', 'Bien'],
  ['Great', 'Top'],
] as const

export const surveyDesign: LibraryEntry = {
  id: 'survey',
  category: 'marketing',
  name: { en: 'Survey', fr: 'Enquête' },
  description: {
    en: 'One question that is answered in the message itself.',
    fr: 'Une question à laquelle on répond depuis le message.',
  },
  make: (t, language) => ({
    version: 1,
    language,
    title: t('One question', 'Une question'),
    preheader: t('It takes ten seconds.', 'Dix secondes suffisent.'),
    theme: createLibraryTheme(libraryPalettes.blue),
    rows: [
      createShopHeader(),
      createSingleColumnRow([
        libraryBlocks.heading(t('How did we do?', 'Votre avis en un clic'), { align: 'center' }),
        libraryBlocks.text(
          centreRichText(
            createRichText(
              t(
                '{{ contact.Firstname | default: "Hello" }}, how was your last order?',
                '{{ contact.Firstname | default: "Bonjour" }}, comment s’est passée votre dernière commande ?',
              ),
            ),
          ),
          { size: 18 },
        ),
      ]),
      {
        columns: SURVEY_ANSWERS.map(() => 25),
        blocks: SURVEY_ANSWERS.map((words, place) => [
          libraryBlocks.button(
            t(words[0], words[1]),
            `https://shop.example/survey?score=${place + 1}&c={{ contact.id }}`,
            {
              align: 'center',
              isWide: true,
            },
          ),
        ]),
        background: 'tinted',
      },
      createSingleColumnRow([
        libraryBlocks.text(
          centreRichText(
            createRichText(
              t(
                'One click is the whole answer. It is read by the people who packed your order.',
                'Un clic suffit. Votre réponse est lue par les personnes qui ont préparé votre commande.',
              ),
            ),
          ),
          { tone: 'muted', size: 14 },
        ),
      ]),
      createMarketingFooter(t),
    ],
  }),
}
