import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  chooseFile: 'Choisir des fichiers',
  choosePicture: 'Choisir une image',
  close: 'Fermer',
  drop: 'Déposez des images ici, ou choisissez-les.',
  dropDocuments: 'Déposez des images ou des PDF ici, ou choisissez-les.',
  empty: 'Pas encore d’image',
  emptyWhy: 'Envoyez-en une ici : elle est gardée pour tous les messages du compte.',
  insertPicture: 'Insérer une image',
  more: 'En montrer plus',
  noMatch: 'Rien n’a cela dans son nom.',
  pickTitle: 'Choisir une image',
  picturesOnly:
    'Les messages ne montrent que des images PNG, JPEG, GIF et WebP : les autres fichiers n’ont pas été pris.',
  search: 'Chercher un média par son nom',
  sizeOf: '{width} × {height} px',
  silent: 'Dites en mots, ci-dessous, ce que l’image montre.',
  uploaded: { one: '{count} fichier est envoyé', other: '{count} fichiers sont envoyés' },
  uploading: 'Envoi de {name}',
} satisfies TranslatedStrings<typeof en>
