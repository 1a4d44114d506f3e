import type { Machine } from './machine.ts';

/**
 * The provider of a machine, by what its firmware says of itself (SMBIOS). Null for a machine that names none: hardware makers,
 * hypervisors such as QEMU, and placeholders such as "To Be Filled By O.E.M." stand in no row.
 */
export function providerOf(machine: Machine): string | null {
  const found = marks.find(([, file, word]) => beginsWith(machine[file]?.trim() ?? '', word));
  if (found) return found[0];
  return isOlderEc2(machine) ? 'Amazon EC2' : null;
}

/** The sources: cloud-init's ds-identify, systemd's `detect_vm_dmi_vendor`, and the providers' own documents. */
const marks: readonly (readonly [provider: string, file: keyof Machine, word: string])[] = [
  ['Hetzner', 'sys_vendor', 'Hetzner'],
  ['DigitalOcean', 'sys_vendor', 'DigitalOcean'],
  ['Amazon EC2', 'sys_vendor', 'Amazon EC2'],
  ['Amazon EC2', 'bios_vendor', 'Amazon EC2'],
  // A Chromebook's vendor is Google, too.
  ['Google Cloud', 'product_name', 'Google Compute Engine'],
  // Hyper-V has the same vendor at home; the tag is Azure's alone.
  ['Microsoft Azure', 'chassis_asset_tag', '7783-7084-3265-9085-8269-3286-77'],
  // VirtualBox has the same vendor.
  ['Oracle Cloud', 'chassis_asset_tag', 'OracleCloud.com'],
  ['Vultr', 'sys_vendor', 'Vultr'],
  ['Akamai', 'sys_vendor', 'Akamai'],
  ['Akamai', 'sys_vendor', 'Linode'],
  ['UpCloud', 'sys_vendor', 'UpCloud'],
  ['Scaleway', 'sys_vendor', 'Scaleway'],
  ['OVHcloud', 'sys_vendor', 'OVHcloud'],
  ['OVHcloud', 'sys_vendor', 'OVH'],
  ['Exoscale', 'product_name', 'Exoscale'],
  ['Alibaba Cloud', 'sys_vendor', 'Alibaba Cloud'],
  ['Alibaba Cloud', 'product_name', 'Alibaba Cloud ECS'],
  ['Tencent Cloud', 'sys_vendor', 'Tencent Cloud'],
  ['Huawei Cloud', 'sys_vendor', 'Huawei Cloud'],
  ['Huawei Cloud', 'chassis_asset_tag', 'HUAWEICLOUD'],
  ['Open Telekom Cloud', 'chassis_asset_tag', 'OpenTelekomCloud'],
  ['IBM Cloud', 'chassis_vendor', 'IBM:Cloud Compute Server'],
  ['IBM Cloud', 'chassis_asset_tag', 'ibmcloud'],
  ['Outscale', 'sys_vendor', '3DS Outscale'],
  ['CloudSigma', 'product_name', 'CloudSigma'],
];

/** Whole words only: another name may begin with the same letters. */
function beginsWith(text: string, word: string): boolean {
  return text.startsWith(word) && !/^[A-Za-z0-9]/.test(text.slice(word.length));
}

/** EC2's older instances run on Xen, which names Amazon in its version alone ("4.11.amazon"). */
function isOlderEc2({ sys_vendor, product_version, bios_version }: Machine): boolean {
  return (
    sys_vendor?.trim() === 'Xen' &&
    [product_version, bios_version].some((version) => version?.trim().endsWith('.amazon'))
  );
}
