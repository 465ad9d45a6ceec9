import {
  centreRichText,
  createBulletList,
  createLibraryTheme,
  createMarketingFooter,
  createRichText,
  createShopHeader,
  createSingleColumnRow,
  type LibraryEntry,
  libraryBlocks,
  libraryPalettes,
} from './builder.ts'

export const announcementDesign: LibraryEntry = {
  id: 'announcement',
  category: 'marketing',
  name: { en: 'Announcement', fr: 'Annonce' },
  description: {
    en: 'One thing that is new: what it is, what changes, one button.',
    fr: 'Une seule nouveauté : ce que c’est, ce qui change, un bouton.',
  },
  make: (t, language) => ({
    version: 1,
    language,
    title: t('Something new', 'Du nouveau'),
    preheader: t('Orders now arrive the next morning.', 'Les commandes arrivent désormais le lendemain matin.'),
    theme: createLibraryTheme(libraryPalettes.blue),
    rows: [
      createShopHeader(),
      createSingleColumnRow(
        [
          libraryBlocks.space(16),
          libraryBlocks.heading(t('Ordered today, there tomorrow', 'Commandé aujourd’hui, reçu demain'), {
            align: 'center',
          }),
          libraryBlocks.text(
            centreRichText(
              createRichText(
                t(
                  'From Monday on, everything ordered before 6 pm leaves the same evening.',
                  'Dès lundi, tout ce qui est commandé avant 18 h part le soir même.',
                ),
              ),
            ),
            { size: 18 },
          ),
          libraryBlocks.button(t('See what is new', 'Voir les nouveautés'), 'https://shop.example/delivery', {
            align: 'center',
          }),
          libraryBlocks.space(16),
        ],
        { background: 'accent' },
      ),
      createSingleColumnRow([
        libraryBlocks.heading(t('What changes for you', 'Ce qui change pour vous'), { level: 2 }),
        libraryBlocks.text(
          createBulletList(
            t('No surcharge: the next morning is the rule.', 'Sans supplément : le lendemain matin devient la règle.'),
            t(
              'You choose the hour, at home or at a shop nearby.',
              'Vous choisissez l’heure, chez vous ou dans un relais.',
            ),
            t('If we are late, delivery is on us.', 'En cas de retard, la livraison est offerte.'),
          ),
        ),
        libraryBlocks.text(
          t(
            'Your address and your habits stay as they are: there is nothing to do.',
            'Votre adresse et vos habitudes ne changent pas : vous n’avez rien à faire.',
          ),
          { tone: 'muted' },
        ),
      ]),
      createMarketingFooter(t),
    ],
  }),
}
