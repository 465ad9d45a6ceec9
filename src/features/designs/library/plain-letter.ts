import {
  createLibraryTheme,
  createMarketingFooter,
  createRichText,
  createSingleColumnRow,
  type LibraryEntry,
  libraryBlocks,
  libraryPalettes,
} from './builder.ts'

export const plainLetterDesign: LibraryEntry = {
  id: 'plain-letter',
  category: 'marketing',
  name: { en: 'Plain letter', fr: 'Lettre simple' },
  description: {
    en: 'Words alone, as one person writes to another.',
    fr: 'Des mots seulement, comme une personne écrit à une autre.',
  },
  make: (t, language) => ({
    version: 1,
    language,
    preheader: t('A few words from us.', 'Quelques mots de notre part.'),
    theme: { ...createLibraryTheme(libraryPalettes.ink, { heading: 'serif', body: 'serif' }), width: 560 },
    rows: [
      createSingleColumnRow([libraryBlocks.space(16)], { background: 'none' }),
      createSingleColumnRow([
        libraryBlocks.space(12),
        libraryBlocks.text(
          createRichText(
            t(
              'Dear {{ contact.Firstname | default: "friend" }},',
              'Bonjour {{ contact.Firstname | default: "à vous" }},',
            ),
            t(
              'I rarely write to all of you at once. Today I do, as something is about to change and I would like you to hear it from us first.',
              'Je vous écris rarement à tous en même temps. Je le fais aujourd’hui, car quelque chose va changer et je préfère que vous l’appreniez par nous.',
            ),
            t(
              'From September on, the shop stays closed on Mondays. The whole day will go to repairs, which have waited too long: what you bring us on a Saturday will be back with you a week later.',
              'À partir de septembre, la boutique sera fermée le lundi. La journée entière ira aux réparations, qui ont trop attendu : ce que vous nous confiez le samedi vous reviendra une semaine plus tard.',
            ),
            t(
              'Write back if you like: I read every answer.',
              'Répondez-moi si vous le souhaitez : je lis chaque message.',
            ),
            '{{ account.name }}',
          ),
          { size: 17 },
        ),
        libraryBlocks.space(12),
      ]),
      createMarketingFooter(t),
    ],
  }),
}
