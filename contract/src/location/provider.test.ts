import { describe, expect, it } from 'vitest';
import { machineNameCharacters } from './facts.ts';
import { type Machine, machineFiles, machineSchema } from './machine.ts';
import { providerOf } from './provider.ts';

describe('a machine’s own names', () => {
  it.each<[string, Machine]>([
    ['Hetzner', { sys_vendor: 'Hetzner', product_name: 'vServer', bios_vendor: 'Hetzner' }],
    ['DigitalOcean', { sys_vendor: 'DigitalOcean', product_name: 'Droplet' }],
    ['Amazon EC2', { sys_vendor: 'Amazon EC2', product_name: 't3.micro', chassis_asset_tag: 'Amazon EC2' }],
    ['Amazon EC2', { sys_vendor: 'Xen', product_name: 'HVM domU', product_version: '4.11.amazon' }],
    ['Amazon EC2', { sys_vendor: 'Xen', bios_version: '4.2.amazon' }],
    ['Google Cloud', { sys_vendor: 'Google', product_name: 'Google Compute Engine' }],
    [
      'Microsoft Azure',
      {
        sys_vendor: 'Microsoft Corporation',
        product_name: 'Virtual Machine',
        chassis_asset_tag: '7783-7084-3265-9085-8269-3286-77',
      },
    ],
    ['Oracle Cloud', { sys_vendor: 'QEMU', chassis_asset_tag: 'OracleCloud.com' }],
    ['Vultr', { sys_vendor: 'Vultr', product_name: 'VC2' }],
    ['Akamai', { sys_vendor: 'Akamai' }],
    ['Akamai', { sys_vendor: 'Linode', product_name: 'Compute Instance' }],
    ['UpCloud', { sys_vendor: 'UpCloud' }],
    ['Scaleway', { sys_vendor: 'Scaleway', product_name: 'SCW-DEV1-S' }],
    ['OVHcloud', { sys_vendor: 'OVHcloud' }],
    ['Exoscale', { product_name: 'Exoscale Compute Platform' }],
    ['Alibaba Cloud', { sys_vendor: 'Alibaba Cloud', product_name: 'Alibaba Cloud ECS' }],
    ['Tencent Cloud', { sys_vendor: 'Tencent Cloud', product_name: 'CVM' }],
    ['Huawei Cloud', { sys_vendor: 'OpenStack Foundation', chassis_asset_tag: 'HUAWEICLOUD' }],
    ['IBM Cloud', { sys_vendor: 'QEMU', chassis_vendor: 'IBM:Cloud Compute Server 1.0:bx2-2x8' }],
    ['Hetzner', { sys_vendor: ' Hetzner\t' }],
  ])('name %s as its provider', (provider, machine) => {
    expect(providerOf(machine)).toBe(provider);
  });

  it.each<[string, Machine]>([
    ['nothing at all', {}],
    [
      'a hypervisor',
      { sys_vendor: 'QEMU', product_name: 'Standard PC (Q35 + ICH9, 2009)', bios_vendor: 'SeaBIOS' },
    ],
    [
      'VirtualBox',
      { sys_vendor: 'innotek GmbH', product_name: 'VirtualBox', board_vendor: 'Oracle Corporation' },
    ],
    ['Hyper-V at home', { sys_vendor: 'Microsoft Corporation', product_name: 'Virtual Machine' }],
    ['a placeholder', { sys_vendor: 'To Be Filled By O.E.M.', chassis_asset_tag: 'Default string' }],
    ['a maker of hardware', { sys_vendor: 'IBM', product_name: 'System x3550' }],
    ['a Chromebook', { sys_vendor: 'Google', product_name: 'Eve' }],
    ['Xen without Amazon', { sys_vendor: 'Xen', product_version: '4.14' }],
    ['another name with the same beginning', { sys_vendor: 'Hetznerium' }],
    ['a provider’s name in the wrong place', { product_version: 'Hetzner', bios_version: '1.amazon' }],
  ])('name no provider: %s', (_, machine) => {
    expect(providerOf(machine)).toBeNull();
  });

  it('are bounded, each by itself', () => {
    for (const file of machineFiles) {
      expect(machineSchema.safeParse({ [file]: 'x'.repeat(machineNameCharacters) }).success).toBe(true);
      expect(machineSchema.safeParse({ [file]: 'x'.repeat(machineNameCharacters + 1) }).success).toBe(false);
    }
  });
});
