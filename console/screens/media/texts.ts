import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const mediaScreenTexts = defineTextCatalogue(en, () => import('./fr.ts'))
