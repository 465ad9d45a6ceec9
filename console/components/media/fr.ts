import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  chooseFile: 'Choisir des fichiers',
  choosePicture: 'Choisir une image',
  close: 'Fermer',
  drop: 'Déposez des images ici, ou choisissez-les.',
  dropDocuments: 'Déposez des images ou des PDF ici, ou choisissez-les.',
  empty: 'Aucune image pour l’instant',
  emptyWhy: 'Ajoutez-en une ici. Tous les messages du compte pourront l’utiliser.',
  insertPicture: 'Insérer une image',
  more: 'Afficher plus',
  noMatch: 'Aucun nom de fichier ne correspond à votre recherche.',
  pickTitle: 'Choisir une image',
  picturesOnly:
    'Les messages n’affichent que des images PNG, JPEG, GIF et WebP. Les autres fichiers n’ont pas été ajoutés.',
  search: 'Rechercher un média par son nom',
  sizeOf: '{width} × {height} px',
  silent: 'Décrivez ci-dessous ce que montre l’image.',
  uploaded: { one: '{count} fichier ajouté', other: '{count} fichiers ajoutés' },
  uploading: 'Ajout de {name}',
} satisfies TranslatedStrings<typeof en>
