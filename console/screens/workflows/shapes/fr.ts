import type { TranslatedStrings } from '../../../text/catalogue.ts'
import type en from './en.ts'

export default {
  addAttachment: 'Ajouter un fichier',
  addCopy: 'Ajouter une copie',
  attachedFile: 'Fichier de {size}',
  attachmentAddress: 'Adresse du fichier',
  attachmentName: 'Nom',
  attachmentType: 'Type',
  attachmentsWhy: 'Son hôte doit être l’un des hôtes de pièces jointes des réglages d’envoi.',
  'content-inline': 'tel quel',
  'content-template': 'comme modèle',
  contentHtml: 'HTML',
  contentKind: 'Envoyé',
  contentText: 'Texte',
  'copy-bcc': 'invisible (Cci)',
  'copy-cc': 'visible (Cc)',
  copyAddress: 'Adresse',
  copyAs: 'Type de copie',
  copyOf: 'Qui la reçoit',
  fallbackAfter: 'Si non remis après',
  fileTooLarge:
    'Les fichiers enregistrés dans un workflow font au plus {size} au total. Indiquez plutôt l’adresse des plus grands.',
  fromFile: 'D’un fichier',
  fromMedia: 'Des médias',
  no: 'Non',
  yes: 'Oui',
} as const satisfies TranslatedStrings<typeof en>
