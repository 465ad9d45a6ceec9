import { defineTextCatalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const whereUsedTexts = defineTextCatalogue(en, () => import('./fr.ts'))
