/**
 * A proxy service changes no tables of an older program. The console copies the data before it does, and reads how that went; the service
 * tries again, and serves from its snapshot meanwhile.
 */
export async function leaveOlderData(): Promise<never> {
  throw new Error('The data are of an older Homeport. The console brings the data up to date first.');
}
